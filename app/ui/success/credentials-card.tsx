import { BASE } from "~/domain/base-path"
import type { ShownService } from "~/domain/services/service"
import { useTranslation } from "~/i18n/use-translation"
import { Credential } from "../layout/credential"

type Access = {
  service: ShownService
  playlistPath: string
  /** Playlist URL for players, and its QR code; null until the service is provisioned. */
  playlistAddress: string | null
  playlistQr: string | null
  texts: { readonly details: string; readonly qr: string; readonly qrNote: string }
}

/** Login details for the player, and its playlist. */
export function AccessCard({ service, playlistPath, playlistAddress, playlistQr, texts }: Access) {
  const { t } = useTranslation()
  return (
    <section className="card access">
      <h2>{texts.details}</h2>
      <div className="credentials">
        <Credential label={t("success.username")} value={service.username} />
        <Credential label={t("success.password")} value={service.password} secret />
        <Credential label={t("success.server")} value={service.host ?? ""} />
      </div>
      <a className="main button" href={`${BASE}${playlistPath}`} download="playlist.m3u8">
        {t("success.playlist")}
      </a>
      {playlistAddress && playlistQr && (
        <>
          <div className="printed" aria-hidden="true">
            <Qr drawing={playlistQr} />
          </div>
          <code className="printed">{playlistAddress}</code>
          {/* Whoever sees it can watch: it is covered like the password. */}
          <details className="fold">
            <summary>{texts.qr}</summary>
            <div className="playlist-qr">
              <Qr drawing={playlistQr} />
              <p className="note">{texts.qrNote}</p>
            </div>
            <div className="credentials address">
              <Credential label={t("success.address")} value={playlistAddress} />
            </div>
          </details>
        </>
      )}
    </section>
  )
}

function Qr({ drawing }: { drawing: string }) {
  return (
    <div
      className="drawing"
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by ourselves from the playlist's address
      dangerouslySetInnerHTML={{ __html: drawing }}
    />
  )
}
