import { createServer } from 'node:net';

/** The wished port on loopback if nobody has it, any free one otherwise. */
export async function freePort(wished = 0): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error: NodeJS.ErrnoException) => {
			if (wished !== 0 && error.code === 'EADDRINUSE') resolve(freePort());
			else reject(error);
		});
		server.listen(wished, '127.0.0.1', () => {
			const address = server.address();
			const port = typeof address === 'object' && address ? address.port : 0;
			server.close(() => resolve(port));
		});
	});
}
