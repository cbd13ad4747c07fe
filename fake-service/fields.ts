// Checks on request bodies. Part 7.1: what is missing, wrong or unknown is a bad request.

import { badRequest } from './errors';
import type { Json, JsonObject } from './types';

export function onlyFields(body: JsonObject, allowed: readonly string[]): void {
	const unknown = Object.keys(body).filter((name) => !allowed.includes(name));
	if (unknown.length) throw badRequest(`Unsupported payload fields: ${unknown.join(', ')}`);
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Check = (value: Json) => boolean;

export const text: Check = (value) => typeof value === 'string';
export const textOrNull: Check = (value) => value === null || typeof value === 'string';
export const filled: Check = (value) => typeof value === 'string' && value.trim() !== '';
export const truth: Check = (value) => typeof value === 'boolean';
export const list: Check = (value) =>
	Array.isArray(value) && value.every((item) => filled(item) || isObject(item));
export const structure: Check = (value) => value === null || typeof value === 'object';
export const objectOrNull: Check = (value) => value === null || isObject(value);
export const link: Check = (value) => typeof value === 'string' && isWebUrl(value);
export const linkOrNull: Check = (value) => value === null || link(value);
export const momentOrNull: Check = (value) => value === null || moment(value);

export function checkFields(body: JsonObject, checks: Record<string, Check>): void {
	for (const [name, check] of Object.entries(checks)) {
		const value = body[name];
		if (value !== undefined && !check(value)) throw badRequest(`Invalid value for ${name}`);
	}
}

export function requireFields(body: JsonObject, names: readonly string[]): void {
	for (const name of names) {
		if (body[name] === undefined) throw badRequest(`Missing field: ${name}`);
	}
}

/** A date and a time with its zone: without one it would not be a moment. */
function moment(value: Json): boolean {
	const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
	return typeof value === 'string' && form.test(value) && !Number.isNaN(Date.parse(value));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uuid: Check = (value) => typeof value === 'string' && UUID.test(value);
export const uuidOrNull: Check = (value) => value === null || uuid(value);

function isWebUrl(value: string): boolean {
	try {
		const { protocol } = new URL(value);
		return protocol === 'https:' || protocol === 'http:';
	} catch {
		return false;
	}
}
