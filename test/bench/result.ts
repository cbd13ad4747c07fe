// What a section hands to the report.

import type { Samples } from './measure';
import type { N8nNodes } from './rivals/n8nNodes';
import type { Ours } from './ours';
import type { Service } from './service';

export interface Bench {
	service: Service;
	n8n: N8nNodes;
	ours: Ours;
	/** Paired runs per cell. */
	rounds: number;
	/** Small sizes and few of them: shows that everything runs, not how fast. */
	quick: boolean;
	note: (text: string) => void;
}

export interface Cell {
	/** Where in the section this was measured, by column. */
	at: Record<string, number | string>;
	samples: Samples;
	/** By contender: why it did not run here. */
	notRun: Map<string, string>;
}

export interface Table {
	title: string;
	head: string[];
	rows: string[][];
	/** What one must know to read it. */
	notes?: string[];
}

export interface Bar {
	what: string;
	wanted: string;
	/** Undefined: not measured in this run. */
	figure?: string;
	met?: boolean;
	/** Why not, and whose limit it is. */
	why?: string;
}

export interface Curve {
	/** Name of the picture's file, without its ending. */
	file: string;
	title: string;
	x: string;
	y: string;
	/** Of both axes; the linear ones begin at 0. */
	scale?: 'linear' | 'logarithmic';
	series: Array<{ name: string; points: Array<[number, number]> }>;
	/** One sentence on what it shows, made from the figures. */
	says: string;
}

export interface Section {
	title: string;
	about: string[];
	tables: Table[];
	bars: Bar[];
	curves: Curve[];
}
