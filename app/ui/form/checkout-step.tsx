import type { ReactNode } from "react"

type Content = {
  number: number
  id?: string
  heading: string
  /** On a phone the content stands on the page's ground, without card and heading. */
  isPlain?: boolean
  children: ReactNode
}

/** One card of the checkout, numbered on a wide screen: on a phone the column is the order. */
export function Step({ number, id, heading, isPlain = false, children }: Content) {
  return (
    <section className={isPlain ? "card plain" : "card"} id={id}>
      <h2 className="step">
        <span aria-hidden="true">{number}</span> {heading}
      </h2>
      {children}
    </section>
  )
}
