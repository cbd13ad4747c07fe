// Loaded into n8n before anything else: whoever started it may die without a chance to say so.
process.once('disconnect', () => {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.exit(1), 10_000).unref();
});
// The channel alone must not keep n8n alive.
process.channel?.unref();
