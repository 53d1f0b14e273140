// biome-ignore-all lint/a11y/noRedundantRoles: narrow screens show each line as a card, which makes browsers drop the table roles
import { createContext, Fragment, useContext, useMemo } from 'react';
import {
  type Block,
  drawChart,
  type Figure,
  type Inline,
  type Matrix,
  partsFor,
  type RecordFilter,
  type Section,
  type Span,
  type Table,
  tableFor,
  whole,
} from '../../../src/viewer/browser.ts';
import { Panel } from './boundary.tsx';
import { Chart } from './chart.tsx';
import { OutsideText } from './outside-text.tsx';
import { ScoreCards } from './score-cards.tsx';
import { TakeChart, TakeTable } from './take.tsx';
import { useNarrow } from './use-narrow.ts';
import { share } from './words.ts';

/** Sections that a page folds: one reads them once, or to check something. */
const FOLDED = ['metrics', 'execution', 'provenance', 'prompts', 'checklist', 'method', 'evidence'];

interface SectionsProps {
  readonly sections: readonly Section[];
  /** Further sections that are folded. Default: none. */
  readonly alsoFolded?: readonly string[];
}

/** Sections of the report, as the page shows them. One that fails leaves the others. */
export function Sections({ sections, alsoFolded = [] }: SectionsProps) {
  return partsFor(sections, 'html').map((section) => (
    <Panel key={section.id} resetKeys={[section]}>
      {[...FOLDED, ...alsoFolded].includes(section.id) ? (
        <details className="panel">
          <summary id={`${section.id}-title`}>{section.title}</summary>
          <Blocks blocks={section.blocks} />
        </details>
      ) : (
        <ReportSection section={section} />
      )}
    </Panel>
  ));
}

function ReportSection({ section: { id, title, blocks } }: { section: Section }) {
  return (
    <section aria-labelledby={`${id}-title`} className="report-section">
      <h2 id={`${id}-title`} className={id === 'headline' ? 'unseen' : undefined}>
        {title}
      </h2>
      <Blocks blocks={blocks} />
    </section>
  );
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return partsFor(blocks, 'html').map((block, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one section, which keep their order
    <ReportBlock key={i} block={block} />
  ));
}

const TONES = { lead: 'sentence', small: 'quiet small' } as const;

/** The kinds of blocks that sections about numbers have; the page has components of its own for the others. */
function ReportBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <h3>{block.text}</h3>;
    case 'paragraph':
      return (
        <p className={block.tone && TONES[block.tone]}>
          <Line of={block.text} />
        </p>
      );
    case 'list':
      return (
        <ul>
          {block.items.map((item, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items of one list, which keep their order
            <li key={i}>
              <Line of={item} />
            </li>
          ))}
        </ul>
      );
    case 'columns':
      return (
        <div className={block.layout === 'charts' ? 'charts' : block.layout}>
          <Blocks blocks={block.blocks} />
        </div>
      );
    case 'details':
      return (
        <details className="panel">
          <summary>{block.summary}</summary>
          <Blocks blocks={block.blocks} />
        </details>
      );
    case 'facts':
      return <ReportTable table={factsTable(block.caption, block.facts)} />;
    case 'table':
      return <FoldedTable table={block} />;
    case 'figure':
      return <ReportFigure figure={block} />;
    case 'matrix':
      return <ReportMatrix matrix={block} />;
    case 'cards':
      return <ScoreCards cards={block.cards} />;
    case 'code':
      return <pre>{block.text}</pre>;
    default:
      return null;
  }
}

function factsTable(caption: string, facts: Table['groups'][number]['rows']): Table {
  const columns = [{ title: 'what' }, { title: 'value' }];
  return { kind: 'table', caption, columns, groups: [{ title: null, rows: facts }] };
}

/** Where the ids of records, and counts of them, lead. Without an address they are plain text. */
export const BlockLinks = createContext<{
  readonly record?: (id: string) => string;
  readonly list?: (filter: RecordFilter) => string;
}>({});

function ReportFigure({ figure: { chart, caption, data, legend } }: { figure: Figure }) {
  const { list: listHref } = useContext(BlockLinks);
  const svg = useMemo(() => drawChart(chart, document, listHref), [chart, listHref]);
  const title = chart.chart === 'dots' ? chart.data.title : data.caption;
  // Many dot plots stand beside each other, and would all say so. Marks of a history lead to runs.
  const hint =
    chart.chart !== 'dots' && chart.chart !== 'history' && svg.includes('data-chart-link')
      ? 'Select a mark to list its cases.'
      : '';
  return (
    <div className="with-chart">
      <Chart title={title} svg={svg} caption={hint === '' ? caption || null : `${caption} ${hint}`} />
      {legend && <Legend parts={legend} />}
      <details className="data">
        <summary>The data as a table</summary>
        <ReportTable table={data} />
      </details>
      <TakeChart name={title} />
    </div>
  );
}

/** The parts of a chart without words; each leads to its records. */
function Legend({ parts }: { parts: NonNullable<Figure['legend']> }) {
  const { list } = useContext(BlockLinks);
  return (
    <ul className="ledger-list">
      {parts.map(({ name, count, share, color, filter }) => (
        <li key={name}>
          <svg className="swatch" viewBox="0 0 1 1" aria-hidden="true">
            <rect width="1" height="1" fill={color} />
          </svg>
          {filter && list ? <a href={list(filter)}>{name}</a> : name} <strong>{count}</strong>{' '}
          <span className="quiet">{share}</span>
        </li>
      ))}
    </ul>
  );
}

const SHADES = 10;

/** Counts of two classifications; each leads to its records. */
function ReportMatrix({ matrix }: { matrix: Matrix }) {
  const {
    label,
    caption,
    columns: [corner, ...columns],
    firstApart,
    rows,
  } = matrix;
  const { list: listHref } = useContext(BlockLinks);
  const apart = (i: number) => (i === firstApart ? 'apart' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={label}>
      <table className="matrix">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((title, i) => (
              <th key={title} scope="col" className={apart(i)}>
                <OutsideText text={title} />
              </th>
            ))}
            <th scope="col" className="apart">
              rows
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, counts, right, links }) => {
            const total = counts.reduce((sum, count) => sum + count, 0);
            return (
              <tr key={title}>
                <th scope="row">
                  <OutsideText text={title} />
                </th>
                {counts.map((count, i) => {
                  const kind = i === right ? 'hit' : i >= firstApart ? 'aside' : 'miss';
                  const shade = total === 0 ? 0 : Math.round((SHADES * count) / total);
                  const classes = [shade > 0 && `${kind}-${shade}`, i === right && 'right', apart(i)];
                  const filter = links?.[i];
                  return (
                    <td key={columns[i]} className={classes.filter(Boolean).join(' ')}>
                      {count === 0 ? (
                        <span className="quiet">0</span>
                      ) : filter && listHref ? (
                        <a href={listHref(filter)} title="List these cases">
                          <span className="unseen">
                            <OutsideText text={`${title}, ${columns[i]}`} />:{' '}
                          </span>
                          <Count of={count} total={total} />
                        </a>
                      ) : (
                        <Count of={count} total={total} />
                      )}
                    </td>
                  );
                })}
                <td className="apart">{whole(total)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <TakeTable name={caption} />
    </section>
  );
}

function Count({ of, total }: { of: number; total: number }) {
  return (
    <>
      {whole(of)}
      <span className="line">{share(of, total)}</span>
    </>
  );
}

/** More cells than this, under each other, fill several narrow screens. */
const MAX_NARROW_CELLS = 60;

/** A table whose cells stand under each other on a narrow screen; a long one is folded there. */
function FoldedTable({ table }: { table: Table }) {
  const isNarrow = useNarrow();
  const nCells = table.columns.length * table.groups.reduce((sum, { rows }) => sum + rows.length, 0);
  if (!isNarrow || table.layout === undefined || nCells <= MAX_NARROW_CELLS)
    return <ReportTable table={table} />;
  return (
    <details className="panel">
      <summary>
        <OutsideText text={table.caption} />
      </summary>
      <ReportTable table={table} />
    </details>
  );
}

/** A table of the report. It scrolls sideways in a box of its own where the page is narrow. */
function ReportTable({ table }: { table: Table }) {
  const { columns, groups, more } = tableFor(table, 'html');
  const findKind = (i: number) => columns[i]?.kind;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="scroll" tabIndex={0} aria-label={table.caption}>
        <table className={table.layout === undefined ? 'report' : `report ${table.layout}`} role="table">
          <caption className={table.showCaption ? undefined : 'unseen'}>{table.caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ title, kind }) => (
                <th key={title} scope="col" className={kind}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(({ title, rows }, g) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups of one table, which keep their order
            <tbody key={g} role="rowgroup">
              {title !== null && (
                <tr role="row" className="group">
                  <th scope="rowgroup" colSpan={columns.length}>
                    <OutsideText text={title} />
                  </th>
                </tr>
              )}
              {rows.map(([first, ...cells], r) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of one table, which keep their order
                <tr key={r} role="row">
                  <th scope="row">
                    <Line of={first!} />
                  </th>
                  {cells.map((cell, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells of one row, which keep their order
                    <td key={i} role="cell" className={findKind(i + 1)} data-title={columns[i + 1]?.title}>
                      <Line of={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
        <TakeTable name={table.caption} />
      </section>
      {more !== null && <p className="quiet small">{more}.</p>}
    </>
  );
}

function Line({ of }: { of: Inline }) {
  if (typeof of === 'string') return <OutsideText text={of} />;
  if ('as' in of) return <Piece span={of} />;
  return of.map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one line, which keep their order
    <Fragment key={i}>
      <Line of={part} />
    </Fragment>
  ));
}

function Piece({ span: { text, as, to, record: id = text } }: { span: Span }) {
  const { record } = useContext(BlockLinks);
  const content = <OutsideText text={text} />;
  switch (as) {
    case 'code':
      return <code>{content}</code>;
    case 'strong':
      return <strong>{content}</strong>;
    case 'muted':
      return <span className="quiet">{content}</span>;
    case 'quote':
      return <q>{content}</q>;
    case 'record':
      return record === undefined ? content : <a href={record(text)}>{content}</a>;
    case 'link':
      if (to?.startsWith('/')) return <a href={`#${to}`}>{content}</a>;
      return record === undefined ? content : <a href={record(id)}>{content}</a>;
    case 'break':
      return <br />;
    default:
      return content;
  }
}
