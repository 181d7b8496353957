import type { ReactNode } from "react"

type Content = { number: number; id?: string; heading: string; children: ReactNode }

/** One numbered card of the checkout. */
export function Step({ number, id, heading, children }: Content) {
  return (
    <section className="card" id={id}>
      <h2 className="step">
        <span aria-hidden="true">{number}</span> {heading}
      </h2>
      {children}
    </section>
  )
}
