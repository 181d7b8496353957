import { BASE } from "~/domain/base-path"
import type { Service } from "~/domain/service"
import type { PlayerLink } from "~/domain/shop/shop-links"
import { useTranslation } from "~/i18n/use-translation"
import { Credential } from "./credential"
import { PlayerApps } from "./player-apps"

type Access = {
  service: Service
  playlistPath: string
  /** Playlist URL for players, and its QR code; null until the service is provisioned. */
  playlistAddress: string | null
  playlistQr: string | null
  apps: readonly PlayerLink[]
}

/** Login details for the player; the only card that is printed. */
export function AccessCard({ service, playlistPath, playlistAddress, playlistQr, apps }: Access) {
  const { t } = useTranslation()
  return (
    <section className="card access">
      <h2>{t("success.access")}</h2>
      <div className="credentials">
        <Credential label={t("success.username")} value={service.username} />
        <Credential label={t("success.password")} value={service.password} secret />
        <Credential label={t("success.server")} value={service.host ?? ""} />
      </div>
      <a className="main button" href={`${BASE}${playlistPath}`} download="playlist.m3u8">
        {t("success.playlist")}
      </a>
      <p className="note">{t("success.playlistNote")}</p>
      {playlistAddress && (
        <div className="credentials address">
          <Credential label={t("success.address")} value={playlistAddress} secret />
        </div>
      )}
      {playlistQr && (
        <div
          className="printed"
          aria-hidden="true"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by ourselves from the playlist's address
          dangerouslySetInnerHTML={{ __html: playlistQr }}
        />
      )}
      <PlayerApps apps={apps} />
    </section>
  )
}
