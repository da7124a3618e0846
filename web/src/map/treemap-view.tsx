// The tiles of the map. Tab reaches one of them, the arrows lead to its neighbours, Enter opens its asset.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatLarge, formatPercent, formatPrice, formatShare } from '../format.ts';
import { shownQuote } from '../quote.ts';
import { assetAddress } from '../routes.ts';
import { step } from './colour-scale.ts';
import { type Group, layOut, neighbour, type Tile } from './layout.ts';
import type { MapAsset, MapData } from './use-map.ts';

export interface MapLabels {
  readonly colour: string;
  /** Null if all areas are equal. */
  readonly area: string | null;
  /** Of the area. */
  readonly unit: 'USD' | 'percent' | null;
}

interface TreemapViewProps {
  readonly data: MapData;
  /** Of the colours. */
  readonly end: number;
  readonly labels: MapLabels;
  readonly tagAddress: (tag: string) => string;
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function TreemapView({ data, end, labels, tagAddress }: TreemapViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const [[width, height], setSize] = useState<readonly [number, number]>([0, 0]);
  const [active, setActive] = useState<string | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width: w, height: h } = entry!.contentRect;
      setSize([w, h]);
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  const groups = useMemo(() => layOut(data.assets, data.groupOf, width, height), [data, width, height]);
  const tiles = groups.flatMap(group => group.tiles);
  const current = tiles.find(({ asset }) => asset.symbol === active) ?? tiles[0];

  function onKeyDown(event: KeyboardEvent): void {
    const direction = DIRECTIONS[event.key];
    if (direction === undefined || current === undefined) return;
    event.preventDefault();
    const { symbol } = neighbour(tiles, current, ...direction).asset;
    setActive(symbol);
    element.current?.querySelector<HTMLElement>(`[data-symbol="${CSS.escape(symbol)}"]`)?.focus();
  }

  return (
    <>
      <p class="map-words">{current === undefined ? '' : words(current.asset, labels)}</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div ref={element} class="treemap" role="group" aria-label="Map of assets; arrow keys move" onKeyDown={onKeyDown}>
        {groups.map(group => (
          <GroupBox
            key={group.tag ?? ''}
            group={group}
            end={end}
            current={current}
            labels={labels}
            tagAddress={tagAddress}
            onActive={setActive}
          />
        ))}
      </div>
    </>
  );
}

interface GroupBoxProps extends Pick<TreemapViewProps, 'end' | 'labels' | 'tagAddress'> {
  readonly group: Group;
  readonly current: Tile | undefined;
  readonly onActive: (symbol: string) => void;
}

function GroupBox({ group, end, current, labels, tagAddress, onActive }: GroupBoxProps) {
  const { tag, titled, x, y, width } = group;
  return (
    <>
      {titled &&
        (tag === null ? (
          <span class="group-title" style={place({ x, y, width })}>
            other tags
          </span>
        ) : (
          <a class="group-title" style={place({ x, y, width })} href={tagAddress(tag)} title={`Only ${tag}`}>
            {tag}
          </a>
        ))}
      {group.tiles.map(tile => (
        <TileLink
          key={tile.asset.symbol}
          tile={tile}
          end={end}
          labels={labels}
          isCurrent={tile === current}
          onActive={onActive}
        />
      ))}
    </>
  );
}

interface TileLinkProps extends Pick<TreemapViewProps, 'end' | 'labels'> {
  readonly tile: Tile;
  readonly isCurrent: boolean;
  readonly onActive: (symbol: string) => void;
}

function TileLink({ tile, end, labels, isCurrent, onActive }: TileLinkProps) {
  const { asset, width, height } = tile;
  const { symbol, colour } = asset;
  const steps = step(colour, end);
  // A bold capital is up to 0.85 of its size wide.
  const size = Math.min(40, (width - 6) / (0.86 * Math.max(3, symbol.length)), (height - 4) / 1.3);
  const hasChange = size >= 10 && height >= size * 1.3 + 16 && width >= 44;
  return (
    <a
      class={`tile ${steps === 0 ? 'flat' : `${steps > 0 ? 'rise' : 'fall'}-${Math.abs(steps)}`}`}
      style={{ ...place(tile), height: `${height}px`, fontSize: `${Math.max(size, 8)}px` }}
      href={assetAddress(asset.id)}
      tabIndex={isCurrent ? 0 : -1}
      data-symbol={symbol}
      onFocus={() => onActive(symbol)}
      onPointerEnter={() => onActive(symbol)}
    >
      <b class={size >= 8 ? '' : 'visually-hidden'}>{symbol}</b> {hasChange && <span>{formatPercent(colour)}</span>}{' '}
      <span class="visually-hidden">{words(asset, labels)}</span>
    </a>
  );
}

function place({ x, y, width }: { readonly x: number; readonly y: number; readonly width: number }) {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px` };
}

/** What the area of a tile stands for. */
export function sizeText(size: number, { unit }: MapLabels): string {
  return unit === 'percent' ? formatShare(size) : formatLarge(size);
}

/** `Aldermoor (ALDM), 133,555 USD, market cap 2.610T USD, change 1d +0.62%`. */
function words(asset: MapAsset, labels: MapLabels): string {
  const { colour, area } = labels;
  return [
    asset.name === asset.symbol ? asset.name : `${asset.name} (${asset.symbol})`,
    `${formatPrice(asset.price)} ${shownQuote.value}`,
    area !== null && `${area} ${sizeText(asset.size, labels)}${labels.unit === 'USD' ? ` ${shownQuote.value}` : ''}`,
    `${colour} ${formatPercent(asset.colour)}`,
  ]
    .filter(part => part !== false)
    .join(', ');
}
