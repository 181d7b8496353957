import type { ReactNode } from "react"
import { useOpenedFocus } from "./opened-focus"

/** Asks for confirmation. After a client navigation it gets focus and scrolls into view. */
export function ConfirmCard({ heading, children }: { heading: string; children: ReactNode }) {
  const head = useOpenedFocus()
  return (
    <section className="card question" aria-labelledby="question">
      <h2 id="question" tabIndex={-1} ref={head}>
        {heading}
      </h2>
      {children}
    </section>
  )
}
