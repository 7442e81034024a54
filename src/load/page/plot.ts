/** Names of the page's colours, which each scheme has its own values for. */
export type Tone = 'accent' | 'good' | 'bad' | 'waiting' | 'muted' | 'blue';

/** A plot of lines over one axis, as data: the page draws it in the colours of the reader's scheme. */
export interface Plot {
  readonly title: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  /** Lines that share their places on the horizontal axis. */
  readonly groups: readonly PlotGroup[];
}

export interface PlotAxis {
  /** What the axis measures, with its unit. */
  readonly label: string;
  /** Absent: linear, and a vertical axis begins at zero. Values of a logarithmic axis are above zero. */
  readonly isLogarithmic?: true;
  /** Upper end of the axis; absent: above the largest value. */
  readonly most?: number;
}

export interface PlotGroup {
  /** Ascending. */
  readonly at: readonly number[];
  readonly lines: readonly PlotLine[];
}

export interface PlotLine {
  readonly label: string;
  readonly tone: Tone;
  /** One value for each place of the group; null where there is none. */
  readonly values: readonly (number | null)[];
  /** `steps`: a value holds up to the next place, and the area below is filled. Absent: straight lines. */
  readonly shape?: 'steps' | 'dashes';
  /** Whether the line is of an earlier run, and is drawn faintly. */
  readonly isEarlier?: true;
}
