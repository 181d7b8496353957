import { readFile } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import { type Provisioner, ProvisioningError, type WorkingLine } from "~/provisioning/provisioner"
import demonstration from "./demo-channels.m3u?raw"

type LocalSettings = {
  /** Server URL for players. */
  streamUrl: string
  /** Panel URL for resellers. */
  panelUrl: string
  /** The operator's playlist template; default: the demo playlist. */
  channelsFile: string | undefined
}

/**
 * Provisioner for operators without a panel: the order's credentials, a server URL, and a playlist from a template. The
 * service exists in the database only, so changes need no call, and running streams are not ended: the streaming server
 * has to read the database.
 */
export function localProvisioner({ streamUrl, panelUrl, channelsFile }: LocalSettings): Provisioner {
  return {
    create: async ({ kind }) => ({ host: kind === "reseller" ? panelUrl : streamUrl }),
    terminate: noted,
    extend: noted,
    suspend: noted,
    resume: noted,
    restart: noted,
    setDeviceAddress: noted,
    setConnections: noted,
    setCredits: noted,
    setPlan: noted,
    playlist: async (line) => fillIn(await channels(channelsFile), line),
    playlistAddress: () => null,
  }
}

/** The database has the change already, or will have it in this transaction. */
const noted = () => Promise.resolve()

async function channels(file: string | undefined): Promise<string> {
  if (file === undefined) return demonstration
  try {
    return await readFile(file, "utf8")
  } catch (cause) {
    throw new ProvisioningError("cannot read PLAYLIST_TEMPLATE_FILE", { cause })
  }
}

/** Characters per part; filling in one takes a millisecond or two. */
const PART = 250_000

/**
 * Inserts a service's credentials into a playlist of up to tens of millions of characters, split at line ends. Yields to
 * the event loop after each part.
 */
async function* fillIn(list: string, line: WorkingLine): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < list.length; ) {
    const lineBreak = list.indexOf("\n", start + PART)
    const end = lineBreak === -1 ? list.length : lineBreak + 1
    yield Buffer.from(fillInPart(list.slice(start, end), line))
    await setImmediate()
    start = end
  }
}

/** `{host}` unchanged, username and password URL-encoded. */
function fillInPart(part: string, { host, username, password }: WorkingLine): string {
  return part
    .replaceAll("{host}", host)
    .replaceAll("{username}", encodeURIComponent(username))
    .replaceAll("{password}", encodeURIComponent(password))
}
