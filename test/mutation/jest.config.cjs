// As `npm test`, in the one project that StrykerJS can run; it wraps the environment itself.
const { projects } = require('../jest.config.cjs');

const [asDocumented] = projects;
const { displayName: _, ...config } = asDocumented;

module.exports = { ...config, testTimeout: 120_000 };
