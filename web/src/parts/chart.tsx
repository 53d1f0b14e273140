import { memo } from 'react';

interface ChartProps {
  /** The text of an SVG element, as the charts of reports give it. They escape every text in it. */
  readonly svg: string;
  readonly title: string;
  readonly caption: React.ReactNode;
}

/** A chart of the report, with what it says below. Marks that are links are in the chart itself. */
export function Chart({ svg, title, caption }: ChartProps) {
  return (
    <figure>
      <h3>{title}</h3>
      <Drawing svg={svg} />
      {caption !== null && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

/** Drawn again only when the chart changes: a link in it would lose the focus. */
const Drawing = memo(({ svg }: { svg: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by src/reports/charts, which lets no text become markup (a test holds it to that)
  <div className="drawing" dangerouslySetInnerHTML={{ __html: svg }} />
));
