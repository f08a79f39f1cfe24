# Not needed at run time, and so not in the image: a shell, npm, and what else the base has beside node itself.
ARG NODE_VERSION=22.20.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev
# node, the libraries that it is linked with, and their loader, where it looks for them.
RUN mkdir /runtime \
  && ldd "$(command -v node)" | grep -o '/[^ ]*' | sort -u \
    | xargs cp --parents --dereference --target-directory=/runtime "$(command -v node)"

FROM scratch
COPY --from=build /runtime /
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
# HOME: there is no /etc/passwd to look it up in. jiti would cache what it compiles, but the file system is read-only.
ENV NODE_ENV=production HOME=/app JITI_FS_CACHE=false
USER 65532:65532
EXPOSE 8443 9090
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/cli/main.js"]
CMD ["--help"]
