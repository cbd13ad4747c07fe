// Runs in the page: looks at an open panel as a person would. Its value is what it has seen.
(() => {
	const { document, getComputedStyle } = globalThis;
	const panel = document.querySelector('[data-test-id="node-parameters"]');
	const ndv = document.querySelector('[data-test-id="ndv"]');
	const textOf = (element) => element.textContent.replace(/[\s*]+/g, ' ').trim();
	const overflows = (element) => {
		if (element.clientWidth === 0) return false;
		const { overflowX, overflowY } = getComputedStyle(element);
		const isTooWide = element.scrollWidth > element.clientWidth + 1 && overflowX !== 'visible';
		// What scrolls up and down can be read to its end.
		const isTooHigh = element.scrollHeight > element.clientHeight + 2 && overflowY === 'hidden';
		return isTooWide || isTooHigh;
	};
	const isCut = (element) => [element, ...element.querySelectorAll('*')].some(overflows);
	const isClipped = (element) => {
		for (let one = element; one && one !== panel; one = one.parentElement)
			if (overflows(one)) return true;
		return false;
	};
	const isVisible = (element) =>
		element.offsetParent !== null && element.getClientRects().length > 0;
	const hasOwnText = ({ childNodes }) =>
		[...childNodes].some(
			({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== '',
		);
	/** The label of the parameter that an element belongs to. */
	const labelOf = (element) => {
		for (let one = element; one && one !== panel; one = one.parentElement) {
			const title = one.querySelector('[data-test-id="input-label"] label .n8n-text');
			if (title) return textOf(title);
		}
		return textOf(element);
	};
	const visible = (selector, within = panel) =>
		[...within.querySelectorAll(selector)].filter(isVisible);
	const isReachable = (element) => {
		element.scrollIntoView({ block: 'center' });
		const { left, top, width, height } = element.getBoundingClientRect();
		if (width === 0 || height === 0) return false;
		const hit = document.elementFromPoint(left + Math.min(width, 20) / 2, top + height / 2);
		return hit !== null && (element.contains(hit) || hit.contains(element));
	};
	const titles = [...panel.querySelectorAll('[data-test-id="input-label"] label')].flatMap(
		(label) => {
			const title = label.querySelector('.n8n-text');
			// The tabs behind this one are in the page as well.
			return title?.offsetParent ? [title] : [];
		},
	);
	return {
		labels: titles.map(textOf),
		cut: titles.filter(isCut).map(textOf),
		unreachable: titles.filter((title) => !isReachable(title)).map(textOf),
		editors: visible('.cm-editor').map(labelOf),
		marked: visible('[data-test-id="parameter-issues"]').map(labelOf),
		clipped: [
			...visible('[data-test-id="parameter-item"] *')
				.filter((one) => hasOwnText(one) && isClipped(one) && !one.closest('.cm-editor'))
				.map(textOf),
			...visible('.el-select-dropdown__item', document).filter(isCut).map(textOf),
		],
		choices: visible('.el-select-dropdown__item', document).map(textOf),
		text: ndv.innerText,
	};
})();
