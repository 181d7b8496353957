# Debian's glibc for the build: the build tools have no musl binaries. The output is JavaScript and runs on either.
FROM node:26.10.0-slim AS build
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional
COPY . .
RUN npm run build && npm prune --omit=dev --omit=optional
# What is in the image, for vulnerability scanners. npm's --omit=dev would also leave out packages that a development
# package needs too, such as React, so the development packages are taken out of package.json instead.
RUN npm pkg delete devDependencies optionalDependencies && npm sbom --sbom-format=cyclonedx > build/sbom.json
# Source maps, type declarations and documents are half of the packages' size. Licences stay.
RUN find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \
    -o -name 'asn-country-ipv?.csv' -o -path '*/cjs/*.profiling.js' \) \
    ! -iname '*licen[cs]e*' ! -iname '*copying*' ! -iname '*notice*' -delete

# Alpine, because an image based on Debian would exceed 250 MB.
FROM node:26.10.0-alpine
WORKDIR /shop
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /shop/package.json ./
COPY --from=build /shop/node_modules node_modules
COPY --from=build /shop/build build
# A named volume inherits the owner of its mount point, so the folder belongs to the unprivileged user. It is the only
# writable folder: the rest of the file system may be read-only.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# 3001 is the sandbox, which runs while no gateway is configured.
EXPOSE 3000 3001
# Liveness: a platform that restarts unhealthy containers must not restart all of them while the database is away.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s CMD wget -qO /dev/null "http://127.0.0.1:$PORT/checkout/api/live" || exit 1
# Node is process 1, so that it receives SIGTERM and shuts down gracefully.
CMD ["node", "--max-semi-space-size=8", "build/server/index.js"]
