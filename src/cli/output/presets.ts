import { list, section } from '../../reports/document/blocks.ts';
import { renderText } from '../../reports/formats/text.ts';
import { PRESET_NAMES, PRESETS } from '../../suites/choice/presets.ts';
import { textWidth } from '../print.ts';

/** The multiple-choice sets that presets read: where each is published, and under which licence. */
export function presetsText(): string {
  return renderText(
    {
      summary: [
        'Presets of multiple-choice sets. Krisis brings no data: krisis init table FILE writes a suite.',
      ],
      sections: PRESET_NAMES.map((name) => {
        const { title, source, licence, licencePage, citation } = PRESETS[name];
        return section({ id: name, title: name }, [
          list([
            title,
            `data: ${source}`,
            `licence: ${licence}, stated on ${licencePage}`,
            `cite: ${citation}`,
          ]),
        ])!;
      }),
    },
    textWidth(),
  );
}

/** The same for programs. */
export function presetsObject(): object {
  const presets = PRESET_NAMES.map((name) => {
    const { title, source, licence, licencePage, citation } = PRESETS[name];
    return { name, title, source, licence, licence_page: licencePage, citation };
  });
  return { presets };
}
