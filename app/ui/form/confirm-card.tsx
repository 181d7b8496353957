import { type ReactNode, useEffect, useRef } from "react"
import { useHydrated } from "../layout/use-hydrated"

/**
 * Asks before something is done. It is read and seen at once: whoever asked for it may have been elsewhere on the page.
 * One that was loaded with its page begins at the page's top, as ever: script comes later, and takes nobody away.
 */
export function ConfirmCard({ heading, children }: { heading: string; children: ReactNode }) {
  const head = useRef<HTMLHeadingElement>(null)
  const isServed = useRef(!useHydrated())
  useEffect(() => {
    if (!isServed.current) head.current?.focus()
  }, [])
  return (
    <section className="card question" aria-labelledby="question">
      <h2 id="question" tabIndex={-1} ref={head}>
        {heading}
      </h2>
      {children}
    </section>
  )
}
