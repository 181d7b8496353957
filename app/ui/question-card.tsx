import { type ReactNode, useEffect, useRef } from "react"

/** Asks before something is done. It is read and seen at once: whoever asked for it may have been elsewhere on the page. */
export function QuestionCard({ heading, children }: { heading: string; children: ReactNode }) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [])
  return (
    <section className="card question" aria-labelledby="question">
      <h2 id="question" tabIndex={-1} ref={head}>
        {heading}
      </h2>
      {children}
    </section>
  )
}
