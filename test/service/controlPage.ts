// The control page: plain HTML over the control API, for a person at a demo.

export const CONTROL_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Fake service</title>
<style>
	body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
	table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
	th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ccc; }
	td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
	fieldset { border: 1px solid #ccc; border-radius: 6px; margin: 1rem 0; }
	button, select, input { font: inherit; padding: .2rem .6rem; }
	pre { background: #f4f4f4; padding: .6rem; overflow: auto; max-height: 20rem; }
</style>
</head>
<body>
<h1>Fake service</h1>
<p>API at <code id="base"></code>. <span id="counts"></span></p>
<table>
	<thead><tr><th>Account</th><th class="n">Leads</th><th class="n">Activity</th>
	<th class="n">Posts</th><th class="n">Lead magnets</th></tr></thead>
	<tbody id="accounts"></tbody>
</table>
<fieldset>
	<legend>Life</legend>
	<label>Account <select id="account"></select></label>
	<label>Keyword <input id="keyword" value="GUIDE" size="10"></label>
	<button id="comment">Someone comments your keyword</button>
	<label>Leads <input id="count" type="number" value="100" min="1" size="6"></label>
	<button id="add">Add leads</button>
	<a id="all" href="/leads">All leads as JSON</a>
</fieldset>
<fieldset>
	<legend>Trouble</legend>
	<button data-effect='{"kind":"error","status":429,"retryAfter":5}'>429, once</button>
	<button data-effect='{"kind":"error","status":503}'>503, once</button>
	<button data-effect='{"kind":"reset"}'>Reset, once</button>
	<button data-effect='{"kind":"reset","after":true}'>Applied, answer lost, once</button>
	<button data-effect='{"kind":"html","status":502}'>HTML 502, once</button>
	<label><input type="checkbox" id="down"> Down (every request 503)</label>
	<button id="clear">No more trouble</button>
</fieldset>
<pre id="faults"></pre>
<script>
const by = (id) => document.getElementById(id);
const call = (method, path, body) =>
	fetch(path, { method, body: body && JSON.stringify(body) }).then((answer) => answer.json());
async function show() {
	const state = await call('GET', '/state');
	by('base').textContent = state.base_url;
	by('counts').textContent = state.requests + ' requests so far.';
	const select = by('account');
	const rows = state.accounts.map((account) => {
		const row = document.createElement('tr');
		const cells = [account.full_name, account.leads, account.activity, account.posts,
			account.lead_magnets];
		cells.forEach((value, index) => {
			const cell = document.createElement('td');
			cell.textContent = value;
			if (index) cell.className = 'n';
			row.append(cell);
		});
		if (![...select.options].some((option) => option.value === account.id)) {
			select.add(new Option(account.full_name, account.id));
		}
		return row;
	});
	by('accounts').replaceChildren(...rows);
	by('all').href = '/leads?account=' + select.value;
	by('faults').textContent = state.faults.length ? JSON.stringify(state.faults, null, 2) : 'No trouble.';
}
const act = (method, path, body) => call(method, path, body).then(show);
by('comment').onclick = () =>
	act('POST', '/comment', { account: by('account').value, keyword: by('keyword').value });
by('add').onclick = () =>
	act('POST', '/leads', { account: by('account').value, count: Number(by('count').value) });
for (const button of document.querySelectorAll('[data-effect]')) {
	button.onclick = () => act('POST', '/faults', { effect: JSON.parse(button.dataset.effect) });
}
by('down').onchange = (event) => event.target.checked
	? act('POST', '/faults', { effect: { kind: 'error', status: 503 }, match: { count: null } })
	: act('DELETE', '/faults');
by('clear').onclick = () => { by('down').checked = false; act('DELETE', '/faults'); };
by('account').onchange = show;
show();
setInterval(show, 2000);
</script>
</body>
</html>
`;
