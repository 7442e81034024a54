/** The speed-ups at one conflict rate, by number of workers. */
export interface SpeedUpSeries {
  /** Conflict rate, 0 to 1. */
  readonly conflicts: number;
  readonly speedUps: readonly number[];
}

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 60;
const RIGHT = 170;
const TOP = 30;
const BOTTOM = 50;
const COLOURS = ['#1b7f5c', '#2f6fb3', '#b7791f', '#b3362f'];

/** Draws speed-up by workers, a line for each share of conflicts, as SVG. */
export function speedUpPlot(workers: readonly number[], series: readonly SpeedUpSeries[]): string {
  const most = Math.ceil(Math.max(2, ...series.flatMap(({ speedUps }) => speedUps)));
  const x = (place: number): number =>
    LEFT + (place * (WIDTH - LEFT - RIGHT)) / Math.max(1, workers.length - 1);
  const y = (speedUp: number): number => HEIGHT - BOTTOM - (speedUp * (HEIGHT - TOP - BOTTOM)) / most;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13">`,
    '<title>Speed-up of block execution by workers and share of conflicts</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="18" font-weight="bold">Speed-up over serial execution, by workers</text>`,
  ];
  for (let tick = 0; tick <= most; tick++) {
    parts.push(
      `<line x1="${LEFT}" y1="${y(tick)}" x2="${WIDTH - RIGHT}" y2="${y(tick)}" stroke="${tick === 1 ? '#888888' : '#dddddd'}"/>`,
      `<text x="${LEFT - 10}" y="${y(tick) + 4}" text-anchor="end">${tick} ×</text>`,
    );
  }
  for (const [place, count] of workers.entries()) {
    parts.push(`<text x="${x(place)}" y="${HEIGHT - BOTTOM + 20}" text-anchor="middle">${count}</text>`);
  }
  parts.push(
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">workers</text>`,
  );
  for (const [number, { conflicts, speedUps }] of series.entries()) {
    const colour = COLOURS[number % COLOURS.length] ?? '#000000';
    const points = speedUps.map((speedUp, place) => `${x(place).toFixed(1)},${y(speedUp).toFixed(1)}`);
    const legend = TOP + 20 + 22 * number;
    parts.push(
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...points.map((point) => {
        const [cx, cy] = point.split(',');
        return `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`;
      }),
      `<line x1="${WIDTH - RIGHT + 15}" y1="${legend - 4}" x2="${WIDTH - RIGHT + 35}" y2="${legend - 4}" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${WIDTH - RIGHT + 42}" y="${legend}">${conflicts * 100} % conflict</text>`,
    );
  }
  parts.push('</svg>', '');
  return parts.join('\n');
}
