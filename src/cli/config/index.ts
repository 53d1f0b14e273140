export { defineConfig, type KrisisConfig } from './config.ts';
