import { Link } from "react-router"

/** A service whose product is not renewed any more, with the way to what is sold instead. */
export function LastTerm({ text, action, path }: { text: string; action: string; path: string }) {
  return (
    <section className="renewal" id="renewal">
      <p>{text}</p>
      <Link className="button" to={path}>
        {action}
      </Link>
    </section>
  )
}
