/** The build bundles ipaddr.js into this file, so it is no dependency. */
export { default } from 'ipaddr.js';
