/** The heads of a table's columns; those of numbers are right-aligned. */
export function TableHead({ columns }: { columns: readonly (readonly [string, "number"?])[] }) {
  return (
    <thead>
      <tr>
        {columns.map(([name, kind]) => (
          <th key={name} scope="col" className={kind && "table__number"}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
