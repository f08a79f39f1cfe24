const columns = [
  ['', ({ title }) => title],
  ['requests/s', ({ rate }) => rate.toFixed(0)],
  ['p50 ms', ({ p50 }) => p50.toFixed(2)],
  ['p99 ms', ({ p99 }) => p99.toFixed(2)],
  ['CPU µs', ({ cpu }) => cpu.toFixed(1)],
  ['RSS MiB', ({ rss }) => String(rss)],
  ['ratio', ({ ratio }) => ratio.toFixed(2)],
];

export function printTable(lines) {
  const cells = [
    columns.map(([head]) => head),
    ...lines.map((line) => columns.map(([, cell]) => cell(line))),
  ];
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  for (const row of cells) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('  '),
    );
  }
}
