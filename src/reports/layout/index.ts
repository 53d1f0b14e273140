export { borderlessTable } from './borderless-table.ts';
export { fitHelp, fitLines } from './fit-lines.ts';
export { TEXT_WIDTH } from './text-width.ts';
export { displayWidth } from './wrap.ts';
