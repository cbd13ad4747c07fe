// Runs in the page: looks at an open panel as a person would. Its value is what it has seen.
(() => {
	const { document, getComputedStyle } = globalThis;
	const panel = document.querySelector('[data-test-id="node-parameters"]');
	const ndv = document.querySelector('[data-test-id="ndv"]');
	const textOf = (element) => element.textContent.replace(/[\s*]+/g, ' ').trim();
	const isCut = (element) =>
		[element, ...element.querySelectorAll('*')].some(
			(one) =>
				one.clientWidth > 0 &&
				one.scrollWidth > one.clientWidth + 1 &&
				getComputedStyle(one).overflowX !== 'visible',
		);
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
		text: ndv.innerText,
	};
})();
