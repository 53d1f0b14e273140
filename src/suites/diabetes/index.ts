export { diabetesConfirmed, GLYCAEMIA_CATEGORIES, glycaemiaCategory } from './ada.ts';
