import { Form } from "react-router"

/** The question which country is right, in the visitor's language. */
export type CountryView = {
  readonly heading: string
  readonly lead: string
  /** The one named first. */
  readonly countries: readonly { readonly code: string; readonly name: string }[]
  /** `href` with the base path. */
  readonly back: { readonly text: string; readonly href: string }
}

/** A button for each country. Its page has no script. */
export function CountryScreen({ view: { heading, lead, countries, back } }: { view: CountryView }) {
  return (
    <section className="card narrow refused">
      <h1>{heading}</h1>
      <p className="lead">{lead}</p>
      <Form method="post" reloadDocument>
        {countries.map(({ code, name }) => (
          <p key={code}>
            <button className="main" name="country" value={code}>
              {name}
            </button>
          </p>
        ))}
      </Form>
      <a className="quiet" href={back.href}>
        {back.text}
      </a>
    </section>
  )
}
