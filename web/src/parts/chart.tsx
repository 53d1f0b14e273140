import { memo } from 'react';

interface ChartProps {
  /** An SVG element as text, from the charts of reports, which escape every text in it. */
  readonly svg: string;
  readonly title: string;
  readonly caption: React.ReactNode;
}

/** A chart of the report with its caption. Links on its marks are part of the chart. */
export function Chart({ svg, title, caption }: ChartProps) {
  return (
    <figure>
      <h3>{title}</h3>
      <Drawing svg={svg} />
      {caption !== null && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

/** Renders again only if the chart changes: otherwise a link in it would lose the focus. */
const Drawing = memo(({ svg }: { svg: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: src/reports/charts escapes all text, which a test checks
  <div className="drawing" dangerouslySetInnerHTML={{ __html: svg }} />
));
