export { bulkWire } from './bulk-access.ts';
export { exchangeFetch, withExchange } from './exchange-fetch.ts';
