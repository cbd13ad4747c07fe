// Runs in a page: draws the frames of a film, and has the browser encode them. Its value is what the
// program outside calls.
(() => {
	const { atob, document, Blob, FileReader, Image, Path2D, URL, VideoEncoder, VideoFrame } =
		globalThis;
	const ARROW = new Path2D('M3 2l7 18 2.6-7.4L20 10z');
	const ARROW_SCALE = 1.25;
	const WAITING_FRAMES = 8;

	const canvas = document.createElement('canvas');
	const context = canvas.getContext('2d');
	const picture = new Image();
	let layout;
	let encoder;
	let chunks = [];
	let problem;

	const base64 = (blob) =>
		new Promise((resolve, reject) => {
			const reader = new FileReader();
			reader.onerror = () => reject(reader.error);
			reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
			reader.readAsDataURL(blob);
		});

	const drawPointer = ({ x, y, pressed }) => {
		context.save();
		context.translate(x, y);
		if (pressed) {
			context.beginPath();
			context.arc(0, 0, 16, 0, 2 * Math.PI);
			context.fillStyle = 'rgba(255, 109, 90, 0.45)';
			context.fill();
		}
		// The tip of the arrow is at 3, 2.
		context.scale(ARROW_SCALE, ARROW_SCALE);
		context.translate(-3, -2);
		context.lineWidth = 1.6;
		context.fillStyle = '#111';
		context.strokeStyle = '#fff';
		context.fill(ARROW);
		context.stroke(ARROW);
		context.restore();
	};

	const drawCaption = (caption) => {
		const { width, height, captionHeight } = layout;
		context.fillStyle = '#1d2330';
		context.fillRect(0, height, width, captionHeight);
		context.fillStyle = '#fff';
		context.font = '600 22px system-ui, sans-serif';
		context.textAlign = 'center';
		context.textBaseline = 'middle';
		context.fillText(caption, width / 2, height + captionHeight / 2, width - 40);
	};

	return {
		/** The size of the page, and of the line below it. */
		setUp(wanted) {
			layout = wanted;
			canvas.width = layout.width * layout.scale;
			canvas.height = (layout.height + layout.captionHeight) * layout.scale;
			context.imageSmoothingQuality = 'high';
		},

		async load(png) {
			picture.src = `data:image/png;base64,${png}`;
			await picture.decode();
		},

		draw(frame) {
			context.setTransform(layout.scale, 0, 0, layout.scale, 0, 0);
			context.drawImage(picture, 0, 0, layout.width, layout.height);
			drawPointer(frame);
			drawCaption(frame.caption);
		},

		asFile: (type, quality) =>
			new Promise((resolve) => canvas.toBlob((blob) => resolve(base64(blob)), type, quality)),

		async startVideo(wanted) {
			const config = { ...wanted, width: canvas.width, height: canvas.height };
			const { supported } = await VideoEncoder.isConfigSupported(config);
			if (!supported) throw new Error(`this browser does not encode ${wanted.codec}`);
			chunks = [];
			encoder = new VideoEncoder({
				output: (chunk) => {
					const data = new Uint8Array(chunk.byteLength);
					chunk.copyTo(data);
					chunks.push({ at: chunk.timestamp / 1000, key: chunk.type === 'key', data });
				},
				error: (error) => (problem = error),
			});
			encoder.configure(config);
		},

		/** What is drawn, from a time of the film on (ms). */
		async encode(at, keyFrame) {
			const frame = new VideoFrame(canvas, { timestamp: at * 1000 });
			encoder.encode(frame, { keyFrame });
			frame.close();
			while (encoder.encodeQueueSize > WAITING_FRAMES && problem === undefined)
				await new Promise((resolve) =>
					encoder.addEventListener('dequeue', resolve, { once: true }),
				);
			if (problem !== undefined) throw problem;
		},

		async endVideo() {
			await encoder.flush();
			encoder.close();
			return await Promise.all(
				chunks.map(async ({ data, ...rest }) => ({
					...rest,
					data: await base64(new Blob([data])),
				})),
			);
		},

		/** What the browser makes of a finished video. */
		async play(type, data) {
			const video = document.createElement('video');
			const event = (name) =>
				new Promise((resolve, reject) => {
					video.addEventListener(name, resolve, { once: true });
					video.addEventListener('error', () => reject(new Error(video.error.message)));
				});
			const loaded = event('loadedmetadata');
			const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
			video.src = URL.createObjectURL(new Blob([bytes], { type }));
			await loaded;
			// The last picture is found only if all the others are in their places.
			const seeked = event('seeked');
			video.currentTime = video.duration;
			await seeked;
			const { duration, videoWidth, videoHeight } = video;
			return { ms: duration * 1000, width: videoWidth, height: videoHeight };
		},
	};
})();
