// The map: assets as rectangles, large by market capitalisation or turnover, coloured by a change; or the same as a table.

import { useEffect } from 'preact/hooks';
import { type ColumnFacts, columnsOf } from '../catalog.ts';
import { columnLabel } from '../column-label.ts';
import { findAbsentColumns } from '../find-absent-columns.ts';
import { directionOf, formatCount, formatLarge, formatPercent, formatPrice } from '../format.ts';
import { hasDirection } from '../format-cell.ts';
import { inPeriods, shownInterval } from '../interval.ts';
import { shownQuote, unitInQuote } from '../quote.ts';
import { asOfMoment, assetAddress, goToMoment, replaceAddress } from '../routes.ts';
import { AsOfBanner, momentText } from '../shell/as-of.tsx';
import { BeforeData } from '../shell/before-data.tsx';
import { Loading } from '../shell/loading.tsx';
import { ProblemNotice } from '../shell/problem-notice.tsx';
import { useRequest } from '../use-request.ts';
import { scaleEnd } from './colour-scale.ts';
import { MapControls } from './map-controls.tsx';
import { AREAS, type AreaId, mapAddress, parseMapView } from './map-view.ts';
import { type MapLabels, sizeText, TreemapView } from './treemap-view.tsx';
import { type MapData, useMap } from './use-map.ts';
import './map.css';

export default function MapPage({ search }: { readonly search: string }) {
  const { value, failure, retry } = useRequest('columns', async () => {
    const [columns] = await Promise.all([columnsOf('ta-cur'), findAbsentColumns()]);
    return columns;
  });
  useEffect(() => {
    document.title = 'Map · Tidemark';
  }, []);
  if (failure !== null) return <ProblemNotice failure={failure} onRetry={retry} />;
  if (value === null) return <Loading what="the columns" />;
  return <AssetMap search={search} columns={value} />;
}

function AssetMap({ search, columns }: { readonly search: string; readonly columns: readonly ColumnFacts[] }) {
  const colours = columns.filter(hasDirection);
  const view = parseMapView(search, new Set(colours.map(({ name }) => name)));
  const { value, failure, retry } = useMap(view, columns);
  const change = (changes: Readonly<Record<string, string | null>>) => replaceAddress(mapAddress(search, changes));
  const labelOf = (id: AreaId) => inPeriods(areaOf(id).label, shownInterval.value);
  const area = areaOf(value?.area ?? view.area);
  const areaLabel = labelOf(area.id);
  const labels = { colour: columnLabel(view.colour), area: area.id === 'equal' ? null : areaLabel, unit: area.unit };
  const { value: moment } = asOfMoment;
  const end = scaleEnd(value?.assets.map(({ colour }) => colour) ?? []);
  return (
    <div class="map-page">
      <h1 class="visually-hidden">Map</h1>
      <AsOfBanner moment={moment} onMoment={goToMoment}>
        The map of <strong>{moment && momentText(moment)}</strong>, with the assets of that{' '}
        {moment?.includes('T') ? 'time' : 'day'}.
        {area.id !== view.area && ` Its ${labelOf(view.area).toLowerCase()} is not recorded: the area is another one.`}
      </AsOfBanner>
      <MapControls
        search={search}
        view={view}
        area={area.id}
        colours={colours}
        tags={value?.tags ?? []}
        end={end}
        onChange={change}
      />
      {failure !== null && <ProblemNotice failure={failure} onRetry={retry} />}
      {value === null && failure === null && <Loading what="the map" />}
      {value?.assets.length === 0 && (
        <BeforeData moment={moment} interval={shownInterval.value}>
          No asset matches, or none has {areaLabel.toLowerCase()}.
        </BeforeData>
      )}
      {value !== null && value.assets.length > 0 && (
        <>
          {view.table ? (
            <MapTable data={value} labels={labels} />
          ) : (
            <TreemapView data={value} end={end} labels={labels} tagAddress={tag => mapAddress(search, { tag })} />
          )}
          <p class="note map-foot">
            {value.more ? 'The largest ' : ''}
            {formatCount(value.assets.length)} {value.assets.length === 1 ? 'asset' : 'assets'}
            {labels.unit === 'USD' &&
              `, together ${formatLarge(value.assets.reduce((sum, each) => sum + each.size, 0))} ${shownQuote.value}`}
            {value.groupOf.size > 0 && '. An asset with several tags is shown in the rarest of them'}.
          </p>
        </>
      )}
    </div>
  );
}

function areaOf(id: AreaId) {
  return AREAS.find(each => each.id === id)!; // ids are those of the list
}

interface MapTableProps {
  readonly data: MapData;
  readonly labels: MapLabels;
}

function MapTable({ data, labels }: MapTableProps) {
  return (
    <table class="map-table">
      <thead>
        <tr>
          <th scope="col">Asset</th>
          {data.groupOf.size > 0 && (
            <th scope="col" class="tag">
              Tag
            </th>
          )}
          <th scope="col">Price, {shownQuote.value}</th>
          {labels.area !== null && (
            <th scope="col">
              {labels.area}, {labels.unit && unitInQuote(labels.unit)}
            </th>
          )}
          <th scope="col">{labels.colour}</th>
        </tr>
      </thead>
      <tbody>
        {data.assets.map(({ symbol, id, name, price, size, colour }) => (
          <tr key={symbol}>
            <th scope="row">
              <a href={assetAddress(id)}>
                <b>{symbol}</b> {name}
              </a>
            </th>
            {data.groupOf.size > 0 && <td class="tag">{data.groupOf.get(symbol) ?? ''}</td>}
            <td>{formatPrice(price)}</td>
            {labels.area !== null && <td>{sizeText(size, labels)}</td>}
            <td class={directionOf(colour)}>{formatPercent(colour)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
