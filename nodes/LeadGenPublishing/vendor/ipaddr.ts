/** The build bundles ipaddr.js into this file, so the package does not depend on it. */
export { default } from 'ipaddr.js';
