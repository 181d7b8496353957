import type { ReactNode } from "react"
import { BASE } from "~/domain/base-path"
import { fontFaces } from "~/ui/style/fonts.server"

type Props = {
  title: string
  nonce: string | undefined
  /** The style sheet, without fonts. */
  style: string
  children?: ReactNode
}

/** The `head` of a document that React Router does not render, and that no search engine may index. */
export function StandaloneHead({ title, nonce, style, children }: Props) {
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      <link rel="icon" href={`${BASE}/favicon.svg`} type="image/svg+xml" />
      <style
        nonce={nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the shop's own style sheet
        dangerouslySetInnerHTML={{ __html: `${fontFaces}${style}` }}
      />
      {children}
    </head>
  )
}
