# n8n's official image with this package. Build the tarball first, then the image with the version of
# n8n that you run now: an older one cannot open the database of a newer one.
#
#   npm ci && npx gulp pack
#   docker build --build-arg N8N_VERSION=2.41.1 -t n8n-with-leadgen-publishing .
# Without a version, no image is found, and the error shows its name. Podman does not know ${…:?…}.
ARG N8N_VERSION
FROM docker.n8n.io/n8nio/n8n:${N8N_VERSION:-set-N8N_VERSION-to-the-version-that-you-run-now}

# Not below /home/node/.n8n: a volume there hides the files of the image.
ADD n8n-nodes-leadgen-publishing.tgz /opt/leadgen-publishing/

# At every start the package of the image replaces the one on the volume, so a new image is an update.
# Then comes the entrypoint of the official image.
ENTRYPOINT ["/bin/sh", "-c", "p=/home/node/.n8n/nodes/node_modules/n8n-nodes-leadgen-publishing; rm -rf \"$p\" && mkdir -p \"$p\" && cp -R /opt/leadgen-publishing/package/. \"$p\" && exec tini -- /docker-entrypoint.sh \"$@\"", "n8n"]
