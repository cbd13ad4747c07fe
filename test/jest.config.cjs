module.exports =
	process.env.LONG === '1' ? require('./long.config.cjs') : require('./short.config.cjs');
