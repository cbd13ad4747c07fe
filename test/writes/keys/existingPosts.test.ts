/** Post > Create with a Unique Key when the post exists: how it is read, and what a dry run shows. */
import { Stage } from './stage';

it('an item of the same run gets the response itself if the post cannot be read yet', async () => {
	const stage = new Stage();
	const make = stage.run();
	await make({ reply: { id: 'x', told: 1 } });
	expect(await make()).toEqual({ id: 'x', told: 1, already_existed: true });
	stage.readable.set('x', stage.post());
	expect(await make()).toEqual({ ...stage.post(), already_existed: true });
});

it.each(['Approved by', 'Approved…', 'Other ...', 'Approved by all\n[unique-k'])(
	'a list that shows %j as notes is completed by reads',
	async (cut) => {
		const stage = new Stage();
		const notes = `Approved by all\n${stage.marker}`;
		stage.hold(stage.post({ notes: cut }), stage.post({ notes }));
		const parameters = { additionalFields: { notes: 'Approved by all' } };
		expect(await stage.make({ parameters })).toMatchObject({ notes, already_existed: true });
		// Notes that only begin the same are also read, once.
		stage.readable.set('x', stage.post({ notes: cut.startsWith('Approved by all') ? '' : cut }));
		stage.takeAsked();
		await stage.make({ parameters, key: `${stage.key}-b` });
		expect(stage.takeAsked().at(-1)).toBe('send');
	},
);

it('a list that cuts the notes without a sign is completed by reads, whatever the row says now', async () => {
	const stage = new Stage();
	const notes = `Approved by all\n${stage.marker}`;
	stage.hold(stage.post({ notes: 'Approved by' }), stage.post({ notes }));
	const parameters = { additionalFields: { notes: 'Rejected by some' } };
	expect(await stage.make({ parameters })).toMatchObject({ notes, already_existed: true });
});

it('a dry run is refused as well if the list is incomplete', async () => {
	const stage = new Stage();
	stage.lists.incomplete = Infinity;
	await expect(stage.make({ isDryRun: true })).rejects.toThrow('The list of posts is incomplete');
	expect(stage.takeAsked()).not.toContain('send');
});

it('a dry run says which items would get an existing post, or that of an earlier item', async () => {
	const stage = new Stage();
	const make = stage.run();
	expect(await make({ isDryRun: true, reply: { id: 'planned' } })).toEqual({ id: 'planned' });
	expect(await make({ isDryRun: true })).toEqual({});
	const fail = { isDryRun: true, options: { ifExists: 'fail' } };
	await expect(make(fail)).rejects.toThrow('already exists. Nothing was created');
	stage.show(stage.post());
	expect(await stage.make({ isDryRun: true })).toEqual({});
	await expect(stage.make(fail)).rejects.toThrow('already exists (x)');
	expect(stage.takeAsked()).toEqual(['list', 'send', 'list', 'list']);
	expect(stage.identities).toEqual([]);
	expect(stage.said).toEqual([
		'An earlier item of this run creates the same post, so nothing would be sent for this one.',
		'The post already exists (x), so the node would return it without sending anything.',
	]);
});
