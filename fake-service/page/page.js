// The control page: shows what the control API says, and pulls its levers.

const EVERY_MS = 1_000;
const ALIVE_MS = 90_000;
const LISTS = { leads: 'Leads', activity: 'Activity', posts: 'Posts' };

const by = (id) => document.getElementById(id);

function make(tag, { text, className, ...rest } = {}, ...children) {
	const element = Object.assign(document.createElement(tag), rest);
	if (className) element.className = className;
	if (text !== undefined) element.textContent = text;
	element.append(...children);
	return element;
}

async function call(method, path, body) {
	const answer = await fetch(path, { method, body: body && JSON.stringify(body) });
	const value = await answer.json();
	if (!answer.ok) throw new Error(value.error);
	return value;
}

async function pull(method, path, body) {
	const problem = by('problem');
	try {
		await call(method, path, body);
		problem.hidden = true;
	} catch (error) {
		problem.textContent = error.message;
		problem.hidden = false;
	}
	await show();
}

const span = (ms) =>
	ms < 1_000
		? 'at once'
		: ms < 120_000
			? `${Math.round(ms / 1_000)} s`
			: `${Math.round(ms / 60_000)} min`;
const later = (ms) => (ms < 1_000 ? 'at once' : `${span(ms)} later`);
const ago = (ms) => (ms < 1_000 ? 'just now' : `${span(ms)} ago`);
const clock = (at) => new Date(at).toLocaleTimeString('en-GB');

function showPulse({ accounts, now }) {
	const asked = Math.max(0, ...accounts.map((account) => account.asked_at ?? 0));
	const pulse = by('pulse');
	const alive = asked > 0 && now - asked < ALIVE_MS;
	pulse.classList.toggle('alive', alive);
	pulse.textContent =
		asked === 0 ? 'No list has been read yet' : `A list was last read ${span(now - asked)} ago`;
	if (asked > 0 && now - asked < 1_000) pulse.textContent = 'Lists are being read';
}

function showAccounts({ accounts, now }) {
	const groups = [...new Set(accounts.map(({ group }) => group))];
	by('accounts').replaceChildren(
		...groups.map((group) => {
			const rows = accounts
				.filter((account) => account.group === group)
				.map((account) => {
					const who = make('td', {}, account.full_name, make('small', { text: account.is }));
					if (account.key) who.append(make('code', { text: account.key }));
					const counts = [account.leads, account.activity, account.posts].map((value) =>
						make('td', { text: value, className: 'number' }),
					);
					const isAlive = account.asked_at !== null && now - account.asked_at < ALIVE_MS;
					const asked = account.asked_at === null ? 'never' : ago(now - account.asked_at);
					return make(
						'tr',
						{},
						who,
						...counts,
						make('td', { text: asked, className: isAlive ? 'number alive' : 'number' }),
					);
				});
			const heads = ['', 'Leads', 'Activity', 'Posts', 'Last read'].map((text, place) =>
				make('th', { text, className: place > 0 ? 'number' : '', scope: 'col' }),
			);
			return make('table', {}, make('caption', { text: group }), make('tr', {}, ...heads), ...rows);
		}),
	);
}

function showChoices({ accounts }) {
	const select = by('account');
	if (select.options.length > 0) return;
	for (const account of accounts) {
		select.add(
			make('option', { text: `${account.full_name} – ${account.group}`, value: account.id }),
		);
	}
}

function stepsOf({ kind, askedAfter, lead, landed }) {
	const steps = Object.entries(askedAfter).map(([list, after]) =>
		after === null
			? make('span', { text: `${LISTS[list]} not read yet`, className: 'waiting' })
			: make('span', { text: `${LISTS[list]} read ${later(after)}` }),
	);
	if (lead && landed) {
		steps.push(make('span', { text: `in ${landed.where} ${later(landed.after)}` }));
	}
	if (kind === 'trouble')
		steps.push(make('span', { text: 'because of “Simulate failures”', className: 'bad' }));
	return steps;
}

function showHappenings({ happenings, accounts }) {
	const nameOf = new Map(accounts.map((account) => [account.id, account.full_name]));
	by('nothing').hidden = happenings.length > 0;
	by('happenings').replaceChildren(
		...happenings.map((one) => {
			const whose = make('span', { text: ` ${nameOf.get(one.account) ?? ''}`, className: 'whose' });
			const what = make('div', {}, one.what, whose);
			const steps = make('div', { className: 'steps' }, ...stepsOf(one));
			return make('li', {}, make('time', { text: clock(one.at) }), what, steps);
		}),
	);
}

function showFaults({ faults }) {
	const past = faults.filter(({ over }) => over).slice(-2);
	const shown = faults.filter((fault) => !fault.over || past.includes(fault));
	const lines = shown.map(({ words, over, hits }) => {
		const state = over ? 'done' : hits === 0 ? 'waiting' : `so far ${hits}`;
		return make('li', { text: `${words}: ${state}`, className: over ? 'over' : '' });
	});
	const none = make('li', { text: 'No failure is set.', className: 'none' });
	by('faults').replaceChildren(...(lines.length > 0 ? lines : [none]));
}

function showDifferences({ differences }) {
	const select = by('difference');
	if (select.options.length === 0)
		for (const { name, words } of differences)
			select.add(make('option', { text: words, value: name }));
	const on = differences.filter((one) => one.on).map(({ words }) => words);
	by('planted').textContent = on.length > 0 ? `Now: ${on.join('; ')}.` : '';
}

function showGuide({ guide }) {
	if (by('guide').childElementCount === guide.length) return;
	by('guide').replaceChildren(
		...guide.map(({ label, url }) =>
			make('a', { text: label, href: url, target: '_blank', rel: 'noreferrer' }),
		),
	);
}

function tableOf(list, records) {
	const caption = make('caption', { text: LISTS[list] });
	if (records.length === 0)
		return make(
			'table',
			{},
			caption,
			make('tr', {}, make('td', { text: 'none', className: 'none' })),
		);
	const names = Object.keys(records[0]);
	const heads = names.map((text) => make('th', { text, scope: 'col' }));
	const rows = records.map((record) =>
		make(
			'tr',
			{},
			...names.map((name) => {
				const text = name === 'Due' && record.Due ? due(record.Due) : (record[name] ?? '–');
				return make('td', { text, title: text });
			}),
		),
	);
	return make('table', { className: list }, caption, make('tr', {}, ...heads), ...rows);
}

const due = (time) =>
	new Date(time).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' });

async function showRecords() {
	const { full_name: whose, ...lists } = await call('GET', `/records?account=${account()}`);
	by('whose').textContent = whose;
	by('records').replaceChildren(
		...Object.entries(lists).map(([list, records]) => tableOf(list, records)),
	);
}

async function show() {
	const state = await call('GET', '/state');
	showGuide(state);
	showPulse(state);
	showChoices(state);
	showAccounts(state);
	showHappenings(state);
	showFaults(state);
	showDifferences(state);
	by('base').textContent = state.base_url;
	by('requests').textContent = `Requests so far: ${state.requests}.`;
	by('all').href = `/leads?account=${account()}`;
	await showRecords();
}

const account = () => by('account').value;
by('account').onchange = () => show();
by('comment').onclick = () =>
	pull('POST', '/comment', { account: account(), keyword: by('keyword').value });
by('add').onclick = () =>
	pull('POST', '/leads', { account: account(), count: Number(by('count').value) });
for (const button of document.querySelectorAll('[data-lever]')) {
	button.onclick = () => pull('POST', button.dataset.lever, { account: account() });
}
for (const button of document.querySelectorAll('[data-effect]')) {
	button.onclick = () => pull('POST', '/faults', { effect: JSON.parse(button.dataset.effect) });
}
by('down').onchange = ({ target }) =>
	target.checked
		? pull('POST', '/faults', { effect: { kind: 'error', status: 503 }, match: { count: null } })
		: pull('DELETE', '/faults');
by('plant').onclick = () => pull('POST', '/differences', { name: by('difference').value });
by('clear').onclick = () => {
	by('down').checked = false;
	return pull('DELETE', '/faults');
};

const refresh = () =>
	show().catch(() => {
		by('pulse').classList.remove('alive');
		by('pulse').textContent = 'The fake service has ended.';
	});
void refresh();
setInterval(refresh, EVERY_MS);
