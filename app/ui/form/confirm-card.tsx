import type { ReactNode } from "react"
import { useOpenedFocus } from "./opened-focus"

type Confirm = {
  heading: string
  /** The question is the page's title; otherwise a part of a page with a title of its own. */
  isPage?: boolean
  children: ReactNode
}

/** Asks for confirmation. After a client navigation it gets focus and scrolls into view. */
export function ConfirmCard({ heading, isPage = false, children }: Confirm) {
  const head = useOpenedFocus()
  const Heading = isPage ? "h1" : "h2"
  return (
    <section className="card question" aria-labelledby="question">
      <Heading id="question" tabIndex={-1} ref={head}>
        {heading}
      </Heading>
      {children}
    </section>
  )
}
