import { consoleText as t } from "~/i18n/console-texts.server"

const WIDTH = 320
const HEIGHT = 130
/** Room for a letter of the axis's amounts, at their largest. */
const LETTER = 8
const TOP = 8
const BOTTOM = 24
const BAR = 8
const NARROW = 1.5
const HOURS_NAMED = 6

type ChartProps = {
  title: string
  today: readonly number[]
  lastWeek: readonly number[]
  textOf: (value: number) => string
}

/** Values of the horizontal lines; an odd number has no line in the middle, where its text would be wrong. */
function linesUpTo(highest: number): readonly number[] {
  return highest % 2 === 0 ? [0, highest / 2, highest] : [0, highest]
}

/** Bars are today, ticks a week ago; the numbers are in a table below it. */
export function HourChart({ title, today, lastWeek, textOf }: ChartProps) {
  const highest = Math.max(1, ...today, ...lastWeek)
  const yOf = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.max(0, value) / highest)
  const left = LETTER * (textOf(highest).length + 1)
  const xOf = (hour: number) => left + (hour * (WIDTH - left)) / today.length
  return (
    <>
      <p className="legend">
        <span className="now-mark" /> {t("overview.today")} <span className="then-mark" />{" "}
        {t("overview.lastWeek")}
      </p>
      <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        {linesUpTo(highest).map((value) => (
          <g key={value}>
            <path className="line" d={`M${left} ${yOf(value)}H${WIDTH}`} />
            <text x={left - 6} y={yOf(value) + 4} textAnchor="end">
              {value > 0 && textOf(value)}
            </text>
          </g>
        ))}
        {today.map((value, hour) => (
          <g key={`${xOf(hour)}`}>
            {value > 0 && (
              <rect
                className="now"
                x={xOf(hour)}
                y={yOf(value)}
                width={BAR}
                height={yOf(0) - yOf(value)}
                rx="2"
              />
            )}
            {(lastWeek[hour] ?? 0) > 0 && (
              <rect
                className="then"
                x={xOf(hour) - NARROW}
                y={yOf(lastWeek[hour] ?? 0) - NARROW}
                width={BAR + 2 * NARROW}
                height={2 * NARROW}
              />
            )}
            {hour % HOURS_NAMED === 0 && (
              <text x={xOf(hour)} y={HEIGHT - 4}>
                {hourText(hour)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>{t("overview.table")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("overview.hour")}</th>
              <th scope="col" className="number">
                {t("overview.today")}
              </th>
              <th scope="col" className="number">
                {t("overview.lastWeek")}
              </th>
            </tr>
          </thead>
          <tbody>
            {today.map((value, hour) => (
              <tr key={`${xOf(hour)}`}>
                <th scope="row">{hourText(hour)}</th>
                <td className="number">{textOf(value)}</td>
                <td className="number">{textOf(lastWeek[hour] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

const hourText = (hour: number) => `${String(hour).padStart(2, "0")}:00`

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 })

export function percentText(share: number): string {
  return percent.format(share)
}
