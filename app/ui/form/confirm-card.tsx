import { type ReactNode, useEffect, useRef } from "react"
import { useHydrated } from "../layout/use-hydrated"

/**
 * Asks for confirmation. After a client navigation it gets focus and scrolls into view. On a loaded page the focus stays,
 * since hydration comes later and must not move the reader.
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
