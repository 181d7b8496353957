/** A link about the reloads of a page without script, in the page's language. */
export type ReloadLinkView = { readonly text: string; readonly path: string }

/** For who reads slowly, or listens, without script. */
export function ReloadLink({ reloads }: { reloads: ReloadLinkView | null }) {
  return (
    reloads && (
      <noscript>
        <a className="quiet" href={reloads.path}>
          {reloads.text}
        </a>
      </noscript>
    )
  )
}
