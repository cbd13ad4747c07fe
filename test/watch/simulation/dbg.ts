import { simulateHistory } from './history';
void (async () => { const t = await simulateHistory(Number(process.argv[2])); console.log(JSON.stringify({ ...t, rare: undefined })); })();
