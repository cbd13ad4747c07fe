/**
 * A rule for eslint: strings and comments are free of habits that make readers stop. The list is
 * `habits.json`. `style.mjs` reads pages and examples through the same list.
 */
import { readFileSync } from 'node:fs';

const HABITS = JSON.parse(readFileSync(new URL('habits.json', import.meta.url), 'utf8')).map(
	({ habit, instead }) => ({ pattern: new RegExp(habit), instead }),
);

/** What stands in a text, and what to write instead. */
export const habitsIn = (text) =>
	HABITS.flatMap(({ pattern, instead }) => {
		const [found] = pattern.exec(text.replace(/\s+/g, ' ')) ?? [];
		return found === undefined ? [] : [{ found: found.trim(), instead }];
	});

/** Lines of a comment become one text, because a habit may stand on two of them. */
const textOf = (comment) =>
	comment
		.replace(/\n\s*\*?/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();

/** @type {import('eslint').Rule.RuleModule} */
const habits = {
	meta: {
		type: 'suggestion',
		schema: [],
		messages: { habit: '"{{found}}" makes readers stop. Instead: {{instead}}.' },
	},
	create(context) {
		const check = (node, text) => {
			for (const data of habitsIn(text))
				context.report({ loc: node.loc, messageId: 'habit', data });
		};
		return {
			Program() {
				for (const comment of context.sourceCode.getAllComments())
					check(comment, textOf(comment.value));
			},
			Literal(node) {
				if (typeof node.value === 'string') check(node, textOf(node.value));
			},
			TemplateLiteral(node) {
				check(node, textOf(node.quasis.map(({ value }) => value.cooked ?? '').join('…')));
			},
		};
	},
};

export default { rules: { habits } };
