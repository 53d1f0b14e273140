export { accAha2017, esc2024 } from './blood-pressure.ts';
