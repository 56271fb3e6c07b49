// SceneModel: to be filled.
