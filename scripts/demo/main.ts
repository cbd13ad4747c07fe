// `npm start`: the demo. `npm start -- --dev`: the demo, with a package that follows the code.

const dev = process.argv.indexOf('--dev');
// The rest of the arguments belongs to the program.
if (dev !== -1) process.argv.splice(dev, 1);
void (dev === -1 ? import('./start') : import('./dev'));
