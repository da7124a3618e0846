// Which columns the table shows.

import { columnGroups, OWN_GROUP, type TableColumn } from './columns.ts';
import { defaultView } from './view.ts';

interface Props {
  readonly columns: readonly TableColumn[];
  readonly shown: readonly string[];
  readonly onChange: (shown: readonly string[]) => void;
}

export function ColumnChooser({ columns, shown, onChange }: Props) {
  const chosen = new Set(shown);

  /** What stays keeps its place; what is new stands behind those that the catalogue has before it. */
  function toggle(name: string): void {
    onChange(chosen.has(name) ? shown.filter(each => each !== name) : withColumn(name));
  }

  function withColumn(name: string): readonly string[] {
    const rank = new Map(columns.map((column, i) => [column.name, i]));
    const last = shown.findLastIndex(each => (rank.get(each) ?? 0) < (rank.get(name) ?? 0));
    return shown.toSpliced(last + 1, 0, name);
  }

  return (
    <div class="column-chooser">
      {columnGroups(columns).map(group => (
        <fieldset key={group.title}>
          <legend>{group.title}</legend>
          {group.columns.map(({ name, label, tooltip, facts }) => (
            <label key={name} title={tooltip}>
              <input
                type="checkbox"
                checked={chosen.has(name)}
                disabled={chosen.has(name) && shown.length === 1}
                onChange={() => toggle(name)}
              />
              {label}
              {facts?.group === OWN_GROUP && <code>{facts.formula}</code>}
            </label>
          ))}
        </fieldset>
      ))}
      <button type="button" onClick={() => onChange(defaultView().columns)}>
        Back to the usual columns
      </button>
    </div>
  );
}
