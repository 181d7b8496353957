import type { Scored } from "./lighthouse"
import { median } from "./statistics"

/** Targets for all three page types. Pages with noindex have no SEO target. */
const aims = [
  { what: "performance", min: 98 },
  { what: "accessibility", min: 100 },
  { what: "bestPractices", min: 100 },
  { what: "seo", min: 100 },
] as const
const SHIFT_AT_MOST = 0.01

/** Formats each page's Lighthouse results with their targets. */
export function scoreLines(scored: readonly Scored[]): string[] {
  return ["Lighthouse, mobile profile", ...scored.flatMap(linesOf)]
}

function linesOf({ path, score, loads }: Scored): string[] {
  const scores = aims.flatMap(({ what, min }) => {
    const reached = score[what]
    if (reached === null) return []
    return [`${verdict(reached >= min)}  ${path} ${named[what]}: ${reached}, aim ${min} or more`]
  })
  const shift = `${path} layout shift: ${score.layoutShift.toFixed(3)}, aim at most ${SHIFT_AT_MOST}`
  const spread = `${path} of ${loads.length}: performance ${span(loads.map((it) => it.performance))}, largest paint \
${span(loads.map((it) => it.paint))} s, blocking ${span(loads.map((it) => it.blocked))} ms`
  return [...scores, `${verdict(score.layoutShift <= SHIFT_AT_MOST)}  ${shift}`, `           ${spread}`]
}

/** Least, median and most. */
function span(figures: readonly number[]): string {
  const shown = [Math.min(...figures), median(figures), Math.max(...figures)]
  return shown.map((it) => it.toFixed(it < 10 ? 2 : 0)).join(" · ")
}

const named = {
  performance: "performance",
  accessibility: "accessibility",
  bestPractices: "best practices",
  seo: "search engines",
}

const verdict = (reached: boolean) => (reached ? "  reached" : "  MISSED ")
